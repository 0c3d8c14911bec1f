export { copyJson } from "./copy-json";
export { createId } from "./id";
export { isJsonObject } from "./json";
export { findCyclicComponents } from "./strongly-connected";
