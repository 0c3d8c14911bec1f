import { version } from "../package.json";

/** Version of this package. */
export const PACKAGE_VERSION: string = version;
