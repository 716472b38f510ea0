// compute/mpi/scalapack.hpp -- the routines of BLACS and ScaLAPACK that compute/mpi/ calls. Neither library brings a
// header. Indices of submatrices count from 1; we always take whole matrices.
#pragma once

extern "C" {
int Csys2blacs_handle(MPI_Comm comm);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* my_row, int* my_col);
void Cblacs_gridexit(int context);

void pdpotrf_(const char* uplo, const int* n, double* A, const int* ia, const int* ja, const int* desc, int* info);
void pdpotrs_(const char* uplo, const int* n, const int* m, const double* A, const int* ia, const int* ja,
              const int* desc_a, double* B, const int* ib, const int* jb, const int* desc_b, int* info);
void pdlauum_(const char* uplo, const int* n, double* A, const int* ia, const int* ja, const int* desc);
void pdsyev_(const char* job, const char* uplo, const int* n, double* A, const int* ia, const int* ja, const int* desc,
             double* w, double* Z, const int* iz, const int* jz, const int* desc_z, double* work, const int* size,
             int* info);
void pdgemm_(const char* op_a, const char* op_b, const int* m, const int* n, const int* k, const double* alpha,
             const double* A, const int* ia, const int* ja, const int* desc_a, const double* B, const int* ib,
             const int* jb, const int* desc_b, const double* beta, double* C, const int* ic, const int* jc,
             const int* desc_c);
void pdsymm_(const char* side, const char* uplo, const int* m, const int* n, const double* alpha, const double* A,
             const int* ia, const int* ja, const int* desc_a, const double* B, const int* ib, const int* jb,
             const int* desc_b, const double* beta, double* C, const int* ic, const int* jc, const int* desc_c);
void pdsyrk_(const char* uplo, const char* op, const int* n, const int* k, const double* alpha, const double* A,
             const int* ia, const int* ja, const int* desc_a, const double* beta, double* C, const int* ic,
             const int* jc, const int* desc_c);
void pdtran_(const int* m, const int* n, const double* alpha, const double* A, const int* ia, const int* ja,
             const int* desc_a, const double* beta, double* C, const int* ic, const int* jc, const int* desc_c);
}
