/** Names of metadata services: never called, whatever they lead to. */
const METADATA_NAMES: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata.goog"]);

/** Top-level names that are for one machine or one network: RFC 6761, 6762, 8375; `internal` by ICANN. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** Checks whether a name is that of a cloud's metadata service. */
export const isMetadataName = (name: string): boolean => METADATA_NAMES.has(name);

/** Checks whether a name cannot be on the public internet; a name without a dot never is. */
export const isLocalName = (name: string): boolean => LOCAL_NAME.test(name) || !name.includes(".");
