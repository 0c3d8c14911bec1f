/** Checks whether a vector is like none: that of a text whose language the embedded model does not know. */
export const isZeroVector = (vector: Float32Array): boolean => vector.every((value) => value === 0);
