import type { AgentRunStream } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import type { Answer, FrontEnd } from "./front-end";

const EMPTY: Answer = {
	run_id: undefined,
	status: undefined,
	text: "",
	citations: [],
	error: undefined,
	approvals: [],
};

/** Reads a run: the answer after each of its events. */
export async function* readRun(run: AgentRunStream): AsyncGenerator<Answer> {
	let answer = EMPTY;
	for await (const event of run) {
		const { run_id } = event;
		if (event.type === "text.delta" && event.final) answer = { ...answer, text: answer.text + event.text };
		if (event.type === "text.reset") answer = { ...answer, text: "" };
		if ("result" in event) answer = { ...answer, ...toEnd(event.result) };
		yield { ...answer, run_id };
	}
}

const toEnd = ({ status, citations, error, approvals = [] }: RunResult): Partial<Answer> => ({
	status,
	citations,
	error: error && [error.message, error.hint ?? []].flat().join(" "),
	approvals: approvals.map((approval) => approval.arguments),
});

/** Our own client, which the others are compared with. */
export const sdkFrontEnd: FrontEnd = ({ sdk: { agents, runs } }, agent) => {
	let run: AgentRunStream | undefined;
	let answer = EMPTY;
	async function follow(stream: AgentRunStream): Promise<void> {
		run?.close();
		run = stream;
		for await (const next of readRun(stream)) answer = next;
	}
	const getHandle = () => ({ id: run?.run_id ?? "", run_token: run?.run_token });
	return {
		read: () => answer,
		ask: (question) => follow(agents.stream(agent, { input: question })),
		async decide(approved) {
			const { id } = getHandle();
			const { approvals = [] } = (await run?.result()) ?? {};
			for (const approval of approvals)
				await runs.decide(id, approval.id, { decision: approved ? "approve" : "deny" });
			await follow(runs.stream(id));
		},
		async cancel() {
			const { id, run_token } = getHandle();
			await runs.cancel(id, { run_token });
		},
		rejoin() {
			const { id, run_token } = getHandle();
			return follow(runs.stream(id, { run_token }));
		},
	};
};
