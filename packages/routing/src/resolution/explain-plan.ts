import { toRefusalHint } from "./refusal-hint";
import type { StagePlan, StageRow } from "./stage-plan";

/**
 * A plan in words, for a terminal or a log: a line for each row with the stage, who pays, the model and where it is, and
 * the reason below it; of a refusal its code, reason and hint. It names no secret, for a plan has none.
 */
export function explainPlan(plan: StagePlan): string {
	if ("refusal" in plan) {
		const { code, reason } = plan.refusal;
		return `refused  ${code}\n         ${reason}\n         ${toRefusalHint(plan.refusal)}`;
	}
	return plan.rows
		.map((row) => `${row.stage.padEnd(8)} ${explainRow(row)}\n         ${row.reason}`)
		.join("\n");
}

function explainRow({ payer, provider, base_url, model }: StageRow): string {
	if (provider === "") return "no call";
	const where = base_url === "" ? "built in" : `${provider}, ${base_url}`;
	return `${payer === "none" ? "nobody pays" : `the ${payer} pays`}: ${model} (${where})`;
}
