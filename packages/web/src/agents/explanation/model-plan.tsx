import {
	isStemmaError,
	type ResolvedNodeModel,
	type ResolveModelsRequest,
	type StatedPrice,
	visibleText,
} from "@stemma/client";
import { useApp } from "../../data/app-context";
import { formatMoney, formatNumber } from "../../data/format";
import { useResource } from "../../data/use-resource";
import { RunErrorNotice } from "../../runs/run-error-notice";
import { ErrorNotice } from "../../shell/error-notice";
import { AGENT_STRINGS } from "../../strings/agent-strings";
import { STRINGS } from "../../strings/strings";
import { boundCost, type RunBound } from "./bound-cost";
import { readRefusals } from "./read-refusals";

interface ModelPlanProps {
	readonly request: ResolveModelsRequest;
	readonly bound: RunBound;
}

/** Model of each node, who would pay for it, and why; or why there is none. */
export function ModelPlan({ request, bound }: ModelPlanProps) {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const plan = useResource(`plan ${JSON.stringify(request)}`, (signal) =>
		stemma.chatCompletions.resolveModels(request, { signal }),
	);
	if (plan.error !== undefined) return <Refusals error={plan.error} onRetry={() => void plan.reload()} />;
	if (plan.value === undefined) return <p role="status">{STRINGS.app.loading}</p>;
	const models = plan.value.data;
	return (
		<>
			<ol className="plan">
				{models.map(({ node, stage, model, vendor_host, payer, reason, price }) => (
					<li key={`${node} ${stage}`}>
						<strong>{visibleText(node)}</strong>
						{stage === "rewrite" && <span className="small"> {words.planRewrite}</span>}
						<br />
						{STRINGS.models.planPayer(visibleText(model === "" ? "–" : model), STRINGS.models.payers[payer])}
						{vendor_host !== "" && <span className="small"> ({visibleText(vendor_host)})</span>}
						<p className="small">
							{visibleText(reason)} {payer !== "none" && describePrice(price)}
						</p>
					</li>
				))}
			</ol>
			<CostBound models={models} bound={bound} />
		</>
	);
}

interface CostBoundProps {
	readonly models: readonly ResolvedNodeModel[];
	readonly bound: RunBound;
}

/** Most that the model turns of a run cost; nothing where no price is known. */
function CostBound({ models, bound }: CostBoundProps) {
	const words = AGENT_STRINGS;
	const cost = boundCost(models, bound);
	if (cost !== undefined)
		return (
			<p>{words.costBound(formatNumber(bound.maxTokens ?? 0), formatMoney(cost.amount, cost.currency))}</p>
		);
	const isPriced = models.some(({ price }) => price !== undefined);
	return isPriced && bound.maxTokens === undefined ? <p className="small">{words.noCostBound}</p> : null;
}

function describePrice(price: StatedPrice | undefined): string {
	const words = AGENT_STRINGS;
	if (price === undefined) return words.noPrice;
	const { currency, input, output, call } = price;
	const perTokens = words.price(formatMoney(input, currency), formatMoney(output, currency));
	return call === "0" ? perTokens : `${perTokens} ${words.pricePerCall(formatMoney(call, currency))}`;
}

function Refusals({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
	const refusals = readRefusals(isStemmaError(error) && "details" in error ? error.details : undefined);
	if (refusals.length === 0) return <ErrorNotice error={error} onRetry={onRetry} />;
	return refusals.map((refusal, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the same refusal may be there twice.
		<RunErrorNotice key={index} error={refusal} title={AGENT_STRINGS.refused} />
	));
}
