import { isStemmaError, type ResolveModelsRequest, visibleText } from "@stemma/client";
import { AGENT_STRINGS } from "../../data/agent-strings";
import { useApp } from "../../data/app-context";
import { STRINGS } from "../../data/strings";
import { useResource } from "../../data/use-resource";
import { RunErrorNotice } from "../../runs/run-error-notice";
import { ErrorNotice } from "../../shell/error-notice";
import { readRefusals } from "./read-refusals";

/** Model of each node, who would pay for it, and why; or why there is none. */
export function ModelPlan({ request }: { readonly request: ResolveModelsRequest }) {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const plan = useResource(`plan ${JSON.stringify(request)}`, (signal) =>
		stemma.chatCompletions.resolveModels(request, { signal }),
	);
	if (plan.error !== undefined) return <Refusals error={plan.error} onRetry={() => void plan.reload()} />;
	if (plan.value === undefined) return <p role="status">{STRINGS.app.loading}</p>;
	return (
		<ol className="plan">
			{plan.value.data.map(({ node, stage, model, vendor_host, payer, reason }) => (
				<li key={`${node} ${stage}`}>
					<strong>{visibleText(node)}</strong>
					{stage === "rewrite" && <span className="small"> {words.planRewrite}</span>}
					<br />
					{STRINGS.models.planPayer(visibleText(model === "" ? "–" : model), STRINGS.models.payers[payer])}
					{vendor_host !== "" && <span className="small"> ({visibleText(vendor_host)})</span>}
					<p className="small">{visibleText(reason)}</p>
				</li>
			))}
		</ol>
	);
}

function Refusals({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
	const refusals = readRefusals(isStemmaError(error) && "details" in error ? error.details : undefined);
	if (refusals.length === 0) return <ErrorNotice error={error} onRetry={onRetry} />;
	return refusals.map((refusal, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the same refusal may be there twice.
		<RunErrorNotice key={index} error={refusal} title={AGENT_STRINGS.refused} />
	));
}
