export { copyJson } from "./copy-json";
export { createId } from "./id";
export { isJsonObject } from "./json";
