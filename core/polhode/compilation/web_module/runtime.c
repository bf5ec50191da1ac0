/* Functions that compiled kernels call and LLVM has no instructions of WebAssembly for. */

typedef long long word;
typedef unsigned long long uword;

#ifdef __wasm__
/* 128-bit product of 128-bit numbers (low and high words), as LLVM calls it. */
void __multi3(uword *result, uword a, uword a_high, uword b, uword b_high) {
    uword a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    uword low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & 0xffffffffu);
    result[0] = (other << 32) | (low & 0xffffffffu);
    result[1] = a1 * b1 + (middle >> 32) + (other >> 32) + a * b_high + a_high * b;
}
#endif

/* numba's view of an array with another shape, row by row: writes the strides [bytes] of the new dimensions and returns
   1, or returns 0 where the numbers would have to be moved. Dimensions of length 1 have any stride. */
int numba_attempt_nocopy_reshape(word rank, const word *shape, const word *strides, word wanted, const word *form,
                                 word *found, word size, int by_columns) {
    word count = 1, new_count = 1, i = 0, j = 0;
    for (word k = 0; k < rank; k++) count *= shape[k];
    for (word k = 0; k < wanted; k++) new_count *= form[k];
    if (by_columns || count != new_count) return 0;
    for (word k = 0; k < wanted; k++) found[k] = size;
    if (count == 0) return 1;
    while (i < rank && j < wanted) { /* groups of dimensions with equal products */
        word first = i, new_first = j, product = shape[i++], new_product = form[j++];
        while (product != new_product) {
            if (product < new_product) product *= shape[i++];
            else new_product *= form[j++];
        }
        word last = -1, stride = size;
        for (word k = i - 1; k >= first; k--) {
            if (shape[k] == 1) continue;
            if (last >= 0 && strides[k] != strides[last] * shape[last]) return 0;
            if (last < 0) stride = strides[k];
            last = k;
        }
        for (word k = j - 1; k >= new_first; k--) {
            found[k] = stride;
            stride *= form[k];
        }
    }
    return 1;
}
