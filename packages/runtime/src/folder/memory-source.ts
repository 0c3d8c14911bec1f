import type { AgentSource } from "./agent-source";

/** Agents that are values of the program, each as if it were the file `<key>.json`. They do not change. */
export function createMemorySource(agents: Readonly<Record<string, unknown>>): AgentSource {
	const files = Object.keys(agents)
		.sort()
		.map((key) => ({ file: `${key}.json`, bytes: new TextEncoder().encode(JSON.stringify(agents[key])) }));
	return {
		signature: async () => "",
		read: async () => files,
	};
}
