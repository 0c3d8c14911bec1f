/**
 * Parts of the MCP client that are loaded when they are first needed. One file, so that bundlers make one part of it and
 * one of what it shares with the page; with each further one, they would cut the page into smaller pieces.
 */
export { encodeHeader } from "./protocol/encode-header";
export { openLegacyEra } from "./protocol/legacy-era";
export { toResponseError } from "./protocol/response-error";
export { checkOutput } from "./tools/check-output";
export { readParamHeaders, toParamHeaders } from "./tools/param-headers";
export { assertPinned, lockTools, pinTools } from "./tools/tool-lock";
