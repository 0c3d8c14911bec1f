export type {
	AgentPort,
	EngineHost,
	ModelPort,
	ModelRequest,
	PortCallOptions,
	ResolvedModel,
	Retrieval,
	RetrievalRequest,
	RetrievedPassage,
	Retriever,
	SchemaValidator,
	SchemaVerdict,
	ToolDescription,
	ToolPort,
	ToolReference,
	ToolRequest,
} from "@stemma/engine";
export {
	createLocalAgent,
	type LocalAgent,
	type LocalAgentOptions,
	type LocalPorts,
	type LocalRunOptions,
} from "./create-local-agent";
export {
	defineTool,
	type LocalTool,
	type LocalTools,
	type ToolDefinition,
	type ToolRunOptions,
	type ToolSchema,
} from "./define-tool";
export { type ServicePorts, type ServicePortsOptions, servicePorts } from "./service-ports";
