/** Of this package; sent as `stemma-version`. */
export const STEMMA_VERSION = "0.0.0";
