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
	ToolPort,
} from "@stemma/engine";
export {
	createLocalAgent,
	type LocalAgent,
	type LocalAgentOptions,
	type LocalPorts,
	type LocalRunOptions,
} from "./create-local-agent";
export { type ServicePorts, type ServicePortsOptions, servicePorts } from "./service-ports";
