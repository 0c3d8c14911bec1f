export { createEngine, type Engine, type EngineOptions, type EngineRun } from "./engine";
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
	RunModelRequest,
	SchemaValidator,
	SchemaVerdict,
	ToolDescription,
	ToolPort,
	ToolReference,
	ToolRequest,
} from "./ports";
export type { EngineResumeOptions, EngineRunOptions } from "./run-options";
export type { SerializedRun } from "./serialized-run";
