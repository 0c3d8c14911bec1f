export { createEngine, type Engine, type EngineOptions } from "./engine";
export { MOST_OUTPUT_CHARACTERS } from "./port-output";
export type {
	AgentCallOptions,
	AgentOutcome,
	AgentPort,
	AgentRequest,
	EngineHost,
	EnginePorts,
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
} from "./ports";
export type { EngineRunOptions } from "./run-options";
