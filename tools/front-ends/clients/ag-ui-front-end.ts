import type { RunStatus } from "@stemma/core";
import type { AgentProgram } from "./ag-ui-agent";
import type { FrontEnd } from "./front-end";

let threads = 0;

/** AG-UI's own client. */
export const createAgUiFrontEnd =
	({ openAgent }: AgentProgram): FrontEnd =>
	({ toUrl, fetch, sdk }, slug) => {
		const agent = openAgent({ url: toUrl(slug, "ag-ui"), fetch, threadId: `matrix-${threads++}` });
		return {
			read() {
				const { messages, state, errors, interrupts } = agent;
				const answers = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
				const texts = answers.flatMap(({ role, content = "" }) => (role === "assistant" ? [content] : []));
				return {
					run_id: state.stemma?.run_id,
					status: state.stemma?.status as RunStatus | undefined,
					text: texts.join(""),
					citations: state.stemma?.citations ?? [],
					error: errors.at(-1)?.message,
					approvals: interrupts.map(({ metadata }) => metadata.stemma.arguments),
				};
			},
			ask: (question) => agent.run(question),
			decide: (approved) =>
				agent.run(undefined, {
					resume: agent.interrupts.map(({ id }) => ({
						interruptId: id,
						status: "resolved",
						payload: { approved },
					})),
				}),
			async cancel() {
				const { run_id = "", run_token } = agent.state.stemma ?? {};
				await sdk.runs.cancel(run_id, { run_token });
			},
			rejoin: "AG-UI has no request for a run that is in progress.",
		};
	};
