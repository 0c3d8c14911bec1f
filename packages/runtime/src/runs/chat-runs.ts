import type { Run } from "./run";

/** Last runs of chats, for as long as they are remembered. */
export interface ChatRuns {
	set(agentId: string, chatId: string, run: Run): void;
	find(agentId: string, chatId: string): Run | undefined;
	forget(run: Run): void;
}

export function createChatRuns(): ChatRuns {
	const runs = new Map<string, Run>();
	const keys = new Map<Run, string>();
	return {
		set(agentId, chatId, run) {
			const key = toKey(agentId, chatId);
			runs.set(key, run);
			keys.set(run, key);
		},
		find: (agentId, chatId) => runs.get(toKey(agentId, chatId)),
		forget(run) {
			const key = keys.get(run);
			keys.delete(run);
			if (key !== undefined && runs.get(key) === run) runs.delete(key);
		},
	};
}

const toKey = (agentId: string, chatId: string): string => `${agentId} ${chatId}`;
