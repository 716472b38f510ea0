"""Kernel logistic machines in plain NumPy, one-versus-rest and multinomial, with closed-form approximate leave-one-out;
for multi_class_probabilities.py. The letters are those of docs/math. Run as a program it compares both closed forms
with explicit refits.
"""
import numpy as np
from scipy.linalg import cho_solve, lapack, null_space, solve_triangular
from scipy.spatial.distance import cdist
from scipy.special import expit, logsumexp

FLOOR = 1e-12  # on c'' inside the Newton system only: the fixed point does not move
normalise = lambda s: s - logsumexp(s, axis=1, keepdims=True)

# Each Curvature solves one Newton step and gives the held-out outputs; a = lambda alpha.
def factor(K, beta, lam):  # A = I + DKD/lambda = RR', D = sqrt(beta)
    d = np.sqrt(beta)
    A = K * np.outer(d / lam, d)
    A.flat[:: len(d) + 1] += 1.0
    R, info = lapack.dpotrf(A, lower=1, overwrite_a=1)
    if info:
        raise np.linalg.LinAlgError
    return d, R


class Logistic:  # one column, docs/math/dual-machine.md
    inverse_link = staticmethod(expit)
    loss = staticmethod(lambda Z, T: np.sum(np.logaddexp(0, Z) - T * Z))

    def __init__(self, K, P, lam):
        self.beta = np.maximum(P * (1 - P), FLOOR)
        self.d, self.R = factor(K, self.beta[:, 0], lam)
        self.xi = self.times(np.ones_like(P))

    def times(self, v):  # lambda M^-1 v
        return self.d[:, None] * cho_solve((self.R, True), self.d[:, None] * v)

    def newton(self, Z, G):
        nu = self.times(Z + G / self.beta)
        b = nu.sum(0) / self.xi.sum()
        return nu - self.xi * b, b

    def held_out(self, Z, a):
        S, _ = lapack.dtrtri(self.R, lower=1)
        Q = self.beta * np.sum(S * S, axis=0)[:, None] - self.xi**2 / self.xi.sum()
        return Z - a * (1 / Q - 1 / self.beta)


class Multinomial:
    """Rasmussen & Williams 3.3, with biases. B = (K/lambda + W^-1)^-1 for W_i = diag(p_i) - p_i p_i' has the blocks
    B_cd = E_c [c = d] - E_c (sum E)^-1 E_d."""
    inverse_link = staticmethod(lambda Z: np.exp(normalise(Z)))
    loss = staticmethod(lambda Z, T: np.sum(logsumexp(Z, axis=1) - np.sum(T * Z, axis=1)))

    def __init__(self, K, P, lam):
        self.K, self.P, self.E = K / lam, np.maximum(P, FLOOR), []
        self.P /= self.P.sum(1, keepdims=True)
        for p in self.P.T:
            d, R = factor(K, p, lam)
            inverse = np.tril(lapack.dpotri(R, lower=1, overwrite_c=1)[0])
            self.E.append((inverse + np.tril(inverse, -1).T) * np.outer(d, d))
        self.M = lapack.dpotrf(sum(self.E), lower=1)[0]
        ones = np.repeat(np.eye(P.shape[1])[None], len(P), axis=0)
        self.B1 = np.stack([self.times(ones[:, :, c]) for c in range(P.shape[1])], 2)  # B times each class's ones
        self.bias = np.linalg.pinv(self.B1.sum(0), rcond=1e-10)  # biases add up to 0

    def times(self, V):  # B V
        EV = np.stack([E @ v for E, v in zip(self.E, V.T)], 1)
        g = cho_solve((self.M, True), EV.sum(1))
        return EV - np.stack([E @ g for E in self.E], 1)

    def newton(self, Z, G):
        r = self.P * (Z - np.sum(self.P * Z, axis=1, keepdims=True)) + G
        Kr = self.K @ r
        b = self.bias @ (r - self.times(Kr)).sum(0)
        return r - self.times(Kr + b), b

    def held_out(self, Z, a):  # z_i - (Q_ii^-1 - W_i^-1) a_i in the m - 1 directions that add up to zero
        V = [solve_triangular(self.M, E, lower=True, check_finite=False) for E in self.E]
        Q = -np.einsum("ncr,rs,nds->ncd", self.B1, self.bias, self.B1)
        for c, E in enumerate(self.E):
            Q[:, c, c] += np.diag(E)
            Q[:, c] -= np.stack([np.einsum("ij,ij->j", V[c], v) for v in V], 1)
        U, W = null_space(np.ones((1, len(V)))), self.P[:, :, None] * (np.eye(len(V)) - self.P[:, None, :])
        tau = np.linalg.inv(U.T @ Q @ U) - np.linalg.inv(U.T @ W @ U)
        return Z - np.einsum("ru,nuv,vs,ns->nr", U, tau, U.T, a)


def fit(Curvature, K, T, lam, b):
    a, Ka = np.zeros(T.shape), np.zeros(T.shape)
    for _ in range(100):
        P = Curvature.inverse_link(Ka + b)
        C = Curvature(K, P, lam)
        if np.max(np.abs(a - (T - P))) < 1e-7 and np.max(np.abs(a.sum(0))) < 1e-6:
            break
        a1, b1 = C.newton(Ka + b, T - P)
        da, db, dKa = a1 - a, b1 - b, K @ (a1 - a) / lam
        cost = lambda s: 0.5 * np.sum((a + s * da) * (Ka + s * dKa)) + C.loss(Ka + b + s * (dKa + db), T)
        step, now = 1.0, cost(0.0)
        while step and cost(step) > now - 1e-11 * abs(now):
            step = step / 2 if step > 1e-6 else 0.0
        if step == 0:  # rounding: nothing lowers the objective any more
            break
        a, b, Ka = a + step * da, b + step * db, Ka + step * dKa
    return a / lam, b, C.held_out(Ka + b, a)


def multinomial(K, T, lam):  # alpha, b, held-out outputs: rows x classes
    return fit(Multinomial, K, T, lam, np.log(T.mean(0)) - np.log(T.mean(0)).mean())


def ovr(K, T, lam):
    parts = [fit(Logistic, K, t[:, None], lam, np.log(t.mean(keepdims=True) / (1 - t.mean()))) for t in T.T]
    return tuple(np.concatenate(x, axis=-1) for x in zip(*parts))


def check():
    rng = np.random.default_rng(0)
    X, y, rows = rng.standard_normal((60, 2)), rng.integers(3, size=60), np.arange(60)
    X[:, 0] += y
    T, K = np.eye(3)[y], np.exp(-0.3 * cdist(X, X, "sqeuclidean"))
    rms = lambda u: np.sqrt(np.mean(u**2))
    for machine in (ovr, multinomial):
        for lam in (0.1, 1.0, 10.0):
            alpha, b, held = machine(K, T, lam)
            refits = [machine(K[np.ix_(rows != i, rows != i)], T[rows != i], lam) for i in rows]
            exact = np.array([K[i, rows != i] @ al + bias for i, (al, bias, _) in enumerate(refits)])
            print(f"{machine.__name__}, lambda {lam}: rms of held-out minus explicit {rms(held - exact):.1e}; "
                  f"of training outputs minus explicit {rms(K @ alpha + b - exact):.1e}")


if __name__ == "__main__":
    check()
