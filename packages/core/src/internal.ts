export { copyJson } from "./copy-json";
export { closestName } from "./did-you-mean";
export { createId } from "./id";
export { isRefusedConnection } from "./is-refused-connection";
export { isJsonObject, withoutUndefined } from "./json";
export { quote } from "./quote";
export { toSecretVariable } from "./secret-variable";
