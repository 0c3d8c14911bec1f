export type { RuntimePorts } from "./agents/graph-agent";
export type { AgentEnvironment } from "./agents/prepare-agent";
export type { RemoteAgents } from "./agents/remote-agents";
export type { RunInput, RunOptions } from "./agents/runnable-agent";
export { createRuntime, type Runtime, type RuntimeOptions } from "./create-runtime";
export { checkManifest, type ManifestCheck } from "./folder/parse-manifest";
export { connectService, type ServiceConnection, type ServiceConnectionOptions } from "./service-connection";
