export { type A2aScript, artifact, createA2aHandler, status, submitted } from "./rpc/a2a-handler.ts";
export {
	type Call,
	createMcpHandler,
	type McpScript,
	type ScriptedTool,
	text,
} from "./rpc/mcp-handler.ts";
export {
	beginEvents,
	type ReceivedRequest,
	type RequestHandler,
	type RpcServer,
	sendEvent,
	sendJson,
	useRpcServer,
} from "./rpc/use-rpc-server.ts";
