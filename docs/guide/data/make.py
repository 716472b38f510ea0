"""Makes the small tables of the guide, all of them invented: python3 make.py writes them beside itself."""

import math
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent


def write(name, header, rows):
    lines = [header, *(",".join(str(cell) for cell in row) for row in rows)]
    (HERE / name).write_text("\n".join(lines) + "\n")


def chance(z):
    return 1.0 / (1.0 + math.exp(-z))


def loans(rows, seed):
    """Whether a loan is paid back; `amount` is lost where it is not, `fee` is earned where it is."""
    rng = random.Random(seed)
    for k in range(rows):
        income = round(math.exp(rng.gauss(3.4, 0.4)), 1)
        amount = round(income * math.exp(rng.gauss(-1.3, 0.7)), 1)
        age = rng.randint(19, 70)
        purpose = rng.choice(["car", "car", "house", "trip", "other"])
        risk = -4.2 + 6.0 * (amount / income - 0.2) + 0.003 * (age - 45) ** 2 + (purpose == "trip") * 1.5
        fee = round(0.12 * amount, 2)
        yield f"L{k + 1:04d}", income, amount, fee, age, purpose, "yes" if rng.random() < chance(risk) else "no"


def houses(rows, seed):
    """Prices by size, age, distance and kind; some ages are not known."""
    rng = random.Random(seed)
    for _ in range(rows):
        size, age, distance = rng.uniform(40, 220), rng.expovariate(1 / 30), rng.expovariate(1 / 6)
        kind = rng.choice(["flat", "flat", "house", "villa"])
        price = 40 + 1.6 * size * (1.0 + 0.5 * math.exp(-distance / 4)) - 0.8 * min(age, 60)
        price += {"flat": 0, "house": 25, "villa": 90}[kind] + rng.gauss(0, 15)
        yield f"{size:.1f}", "" if rng.random() < 0.08 else f"{age:.0f}", f"{distance:.2f}", kind, f"{price:.1f}"


def patients(people, visits, seed):
    """Several visits of each patient; what a patient has in common tells more than the disease does."""
    rng = random.Random(seed)
    for p in range(people):
        marker, pressure = rng.gauss(0, 1), rng.gauss(0, 1)
        ill = rng.random() < chance(1.4 * marker)
        for _ in range(visits):
            yield (f"p{p + 1:02d}", f"{marker + rng.gauss(0, 0.05):.3f}", f"{pressure + rng.gauss(0, 0.05):.3f}",
                   f"{rng.gauss(0, 1):.3f}", "ill" if ill else "well")


def doctor_visits(rows, seed):
    """Counts whose rates differ more between people than the columns say."""
    rng = random.Random(seed)
    for _ in range(rows):
        age, reduced = rng.randint(18, 80), rng.choice([0, 0, 0, 1, 2, 4, 7])
        rate = math.exp(-1.1 + 0.012 * (age - 45) + 0.22 * reduced) * rng.gammavariate(1.2, 1 / 1.2)
        count, at = 0, -math.log(1.0 - rng.random())
        while at < rate:
            count, at = count + 1, at - math.log(1.0 - rng.random())
        yield age, reduced, rng.choice(["private", "public"]), count


def ward(rows, seed):
    """Whether a patient is ill; a dear test was mostly done where somebody already suspected it."""
    rng = random.Random(seed)
    for _ in range(rows):
        age, ill = rng.randint(20, 85), rng.random() < 0.35
        temperature, protein = rng.gauss(37.2 + 0.5 * ill, 0.6), math.exp(rng.gauss(2.0 + 0.5 * ill, 0.7))
        done = rng.random() < (0.85 if ill else 0.35)
        yield age, f"{temperature:.1f}", f"{protein:.1f}" if done else "", "ill" if ill else "well"


if __name__ == "__main__":
    heading = "id,income,amount,fee,age,purpose,default"
    write("loans.csv", heading, loans(400, 1))
    write("new_loans.csv", heading, loans(400, 2))
    write("houses.csv", "size,age,distance,kind,price", houses(300, 3))
    write("new_houses.csv", "size,age,distance,kind,price", houses(100, 4))
    write("patients.csv", "patient,marker,pressure,noise,state", patients(50, 6, 5))
    write("visits.csv", "age,reduced,insurance,visits", doctor_visits(400, 6))
    write("ward.csv", "age,temperature,protein,state", ward(300, 7))
