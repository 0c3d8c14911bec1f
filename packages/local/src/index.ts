export {
	createLocalAgent,
	type LocalAgent,
	type LocalAgentOptions,
	type LocalPorts,
	type LocalRunOptions,
} from "./create-local-agent";
