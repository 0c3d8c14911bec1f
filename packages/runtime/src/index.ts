export type { RuntimePorts } from "./agents/graph-agent";
export type { AgentEnvironment } from "./agents/prepare-agent";
export type { RemoteAgents } from "./agents/remote-agents";
export type { RunInput, RunOptions } from "./agents/runnable-agent";
export { type CommandIo, runRuntimeCommand } from "./command/run-runtime-command";
export {
	createNodeRuntime as createRuntime,
	type NodeRuntimeOptions as RuntimeOptions,
} from "./create-node-runtime";
export type { Runtime } from "./create-runtime";
export { checkManifest, type ManifestCheck } from "./folder/parse-manifest";
export { connectService, type ServiceConnection, type ServiceConnectionOptions } from "./service-connection";
export { type RunningRuntime, type StartRuntimeOptions, startRuntime } from "./start-runtime";
