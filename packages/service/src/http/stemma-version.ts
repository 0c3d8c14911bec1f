import { version } from "../../package.json";

/** Of this package; sent as `stemma-version`. */
export const STEMMA_VERSION: string = version;
