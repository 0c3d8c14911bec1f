export { createEngine, type Engine, type EngineOptions, type EngineRun } from "./engine";
export { readAgentOutput } from "./io/agent-outcome";
export { MAX_OUTPUT_CHARACTERS } from "./io/port-output";
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
	RetrievalOptions,
	RetrievalRequest,
	RetrievedPassage,
	Retriever,
	RunModelRequest,
	SchemaValidationResult,
	SchemaValidator,
	ToolDescription,
	ToolPort,
	ToolReference,
	ToolRequest,
} from "./io/ports";
export { readToolOutput } from "./io/request-tool";
export { toRunError } from "./io/to-run-error";
export type { EngineResumeOptions, EngineRunOptions, RunInterruption } from "./run/run-options";
export type { SerializedRun } from "./snapshot/serialized-run";
