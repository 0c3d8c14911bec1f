export type { Conversation, RunEvent } from "@stemma/core";
export type {
	AgentCallOptions,
	AgentOutcome,
	AgentPort,
	AgentRequest,
	EngineHost,
	ModelPort,
	ModelRequest,
	PortCallOptions,
	ResolvedModel,
	Retrieval,
	RetrievalRequest,
	RetrievedPassage,
	Retriever,
	RunModelRequest,
	SchemaValidationResult,
	SchemaValidator,
	SerializedRun,
	ToolDescription,
	ToolPort,
	ToolReference,
	ToolRequest,
} from "@stemma/engine";
export type { AskForApproval, LocalApprovalDecision } from "./approvals";
export {
	createLocalAgent,
	type LocalAgent,
	type LocalAgentOptions,
	type LocalResumeOptions,
	type LocalRunOptions,
} from "./create-local-agent";
export { createLocalPorts, type LocalPortsOptions } from "./create-local-ports";
export type { LocalPorts } from "./fill-ports";
export { type McpTools, type McpToolsOptions, mcpTools } from "./mcp/mcp-tools";
export { type RemoteAgents, type RemoteAgentsOptions, remoteAgents } from "./remote/remote-agents";
export type { LocalRunStream } from "./run-stream";
export { findSchemaProblem } from "./schema/check-schema";
export { validateSchema } from "./schema/validate-schema";
export type { LocalSecrets, SecretSource } from "./secrets/secret-source";
export { type ServicePorts, type ServicePortsOptions, servicePorts } from "./service/service-ports";
export {
	defineTool,
	type LocalTool,
	type LocalTools,
	type ToolDefinition,
	type ToolRunOptions,
	type ToolSchema,
} from "./tools/define-tool";
