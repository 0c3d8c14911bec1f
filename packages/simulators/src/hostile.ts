export {
	artifactOf,
	cardOf,
	sendEvents,
	sendEventsAndEnd,
	startHostileAgent,
	statusOf,
	taskOf,
	taskStarted,
} from "./hostile/a2a-agent.ts";
export type { Behaviour, BodyName, EventStream } from "./hostile/behaviour.ts";
export { DONE, type McpEra, NORMAL_TOOL, startHostileMcp } from "./hostile/mcp-server.ts";
export { type OtherOrigin, startOtherOrigin } from "./hostile/other-origin.ts";
export { resetConnection } from "./hostile/reset-connection.ts";
export type { RouteName } from "./hostile/route.ts";
export {
	type HostileRpcServer,
	type RpcHandler,
	sendRpc,
	sendRpcEvent,
	sendText,
} from "./hostile/rpc-server.ts";
export { type HostileServer, type HostileServerOptions, startHostileServer } from "./hostile/server.ts";
export { writeUntilClosed } from "./hostile/write-until-closed.ts";
