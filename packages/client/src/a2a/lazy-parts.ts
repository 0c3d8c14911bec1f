/**
 * Parts of the A2A client that are loaded when they are first needed. One file, so that bundlers make one part of it and
 * one of what it shares with the page; with each further one, they would cut the page into smaller pieces.
 */
export { getInterface } from "./card-error";
export { httpJson } from "./http-json";
export { jsonRpc } from "./json-rpc";
export { toResponseError } from "./response-error";
export { createPushConfigs, getExtendedCard, listTasks } from "./task-methods";
export { readTaskEvents } from "./task-source";
