import { version } from "../package.json";

/** Version of this package; sent as `stemma-version`. */
export const STEMMA_VERSION: string = version;
