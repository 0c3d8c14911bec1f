import { chatCompletions, type ResolvedNodeModel, visibleText } from "@stemma/client";
import { useMemo } from "react";
import { useApp } from "../data/app-context";
import { useDelayed } from "../data/use-delayed";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { type BaseSettingsDraft, toPlanNodes } from "./base-settings-draft";

/** Time after the last key before the plan is asked for. */
const PLAN_DELAY_MS = 400;

/** Plan that follows from what is written: who answers and who pays, or why nobody would. Nothing is called for it. */
export function BasePlan({ draft }: { readonly draft: BaseSettingsDraft }) {
	const words = STRINGS.knowledge.settings;
	const { client } = useApp().stemma;
	const models = useMemo(() => chatCompletions(client), [client]);
	const nodes = useDelayed(JSON.stringify(toPlanNodes(draft)), PLAN_DELAY_MS);
	const plan = useResource(`plan ${nodes}`, (signal) =>
		models.resolveModels({ nodes: JSON.parse(nodes) }, { signal }),
	);
	return (
		<section aria-label={words.plan}>
			<h3>{words.plan}</h3>
			<ErrorNotice error={plan.error} title={words.refused} />
			<ol className="plan">
				{plan.value?.data.map((resolved) => (
					<PlanRow key={resolved.node} resolved={resolved} />
				))}
			</ol>
			<p className="small">{words.planNote}</p>
		</section>
	);
}

function PlanRow({
	resolved: { node, model, payer, vendor_host },
}: {
	readonly resolved: ResolvedNodeModel;
}) {
	const words = STRINGS.models;
	return (
		<li>
			<strong>{node}</strong>:{" "}
			{model === "" ? words.planNone : words.planPayer(visibleText(model), words.payers[payer])}
			{vendor_host !== "" && <span className="small"> · {visibleText(vendor_host)}</span>}
		</li>
	);
}
