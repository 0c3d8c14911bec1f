import type { AgentSource } from "./agent-source";

/** Agents that are values of the program, each as if it were the file `<key>.json`. They do not change. */
export function createMemorySource(agents: Readonly<Record<string, unknown>>): AgentSource {
	const names = Object.keys(agents).sort();
	let isRead = false;
	return {
		isFixed: true,
		async readChanges() {
			if (isRead) return undefined;
			isRead = true;
			const encoder = new TextEncoder();
			return {
				names: names.map(toFile),
				changed: names.map((key) => ({
					file: toFile(key),
					bytes: encoder.encode(JSON.stringify(agents[key])),
				})),
			};
		},
	};
}

const toFile = (key: string): string => `${key}.json`;
