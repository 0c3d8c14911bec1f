import { RunArea } from "./run-area";
import { RunList } from "./run-list";
import "./runs.css";

/** Page of the runs, or of one of them. */
export function RunsPage({ runId }: { readonly runId: string | undefined }) {
	if (runId === undefined) return <RunList />;
	return <RunArea key={runId} id={runId} />;
}
