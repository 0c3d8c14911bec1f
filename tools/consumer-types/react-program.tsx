// An app, for its types alone.
import {
	createClient,
	type StemmaError,
	agents as toAgents,
	ask as toAsk,
	runs as toRuns,
} from "@stemma/client";
import { type RunHandle, type UseRunResult, useAsk, useRun } from "@stemma/react";
import { useState } from "react";

const client = createClient({ clientKey: "ck_1_secret" });
const [agents, runs, ask] = [toAgents(client), toRuns(client), toAsk(client)];

const explain = (error: StemmaError | undefined): string => error?.hint ?? error?.message ?? "";

export function Chat({ kept }: { readonly kept: RunHandle | null }) {
	const [handle, setHandle] = useState(kept);
	const run: UseRunResult = useRun(agents, "desk", { runs, rejoin: handle, onStart: setHandle });
	const answer = useAsk(ask);
	// @ts-expect-error: runs are rejoined by `runs`
	useRun(agents, "desk", { rejoin: handle });
	// @ts-expect-error: no such status
	if (run.status === "done") return null;
	return (
		<main title={explain(run.error)}>
			<p>{run.text}</p>
			<ul>
				{answer.citations.map(({ n, title }) => (
					<li key={n}>{title}</li>
				))}
			</ul>
			<button type="button" onClick={() => run.start({ input: "?" })} disabled={run.status === "running"}>
				Send
			</button>
			<button type="button" onClick={() => answer.ask({ question: "?", knowledge_base_ids: ["kb_1"] })}>
				Ask
			</button>
		</main>
	);
}
