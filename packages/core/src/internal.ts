export { copyJson } from "./copy-json";
export { closestName } from "./did-you-mean";
export { createId } from "./id";
export { isRefusedConnection } from "./is-refused-connection";
export { isJsonObject, withoutUndefined } from "./json";
export { quote } from "./quote";
export { looksLikeConversation, type RunInputIssue, readRunInput } from "./run-input";
export { toSecretVariable } from "./secret-variable";
