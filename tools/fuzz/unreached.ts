/** Operations that the fuzzer never succeeds with, with the reason. */
export const UNREACHED: { readonly [operation: string]: string } = {};
