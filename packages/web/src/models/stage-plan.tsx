import { type LlmStage, type LlmStages, visibleText } from "@stemma/client";
import { STRINGS } from "../strings/strings";

interface StagePlanProps {
	readonly stages: LlmStages;
	/** Plan from before the last change. */
	readonly before: LlmStages | undefined;
}

/** Stages of an answer: which model each calls, who pays and why; after a change, what it was before. */
export function StagePlan({ stages: { stages, refusal }, before }: StagePlanProps) {
	const words = STRINGS.models;
	const earlier = new Map(before?.stages.map((stage) => [stage.stage, stage]));
	return (
		<section className="panel">
			<h2>{words.plan}</h2>
			{refusal && (
				<div className="notice bad" role="alert">
					<strong>{words.refused}</strong>
					<p>{visibleText(refusal.message)}</p>
					<p>{visibleText(refusal.hint)}</p>
					<p className="small">
						{STRINGS.app.code}: <code>{refusal.code}</code>
					</p>
				</div>
			)}
			{!refusal && <p className="small">{words.noneSet}</p>}
			<ol className="plan">
				{stages.map((stage) => (
					<li key={stage.stage}>
						<strong>{stage.stage}</strong>
						<dl>
							{before && (
								<>
									<dt>{words.planBefore}</dt>
									<dd>{describe(earlier.get(stage.stage))}</dd>
								</>
							)}
							<dt>{words.planNow}</dt>
							<dd>{describe(stage)}</dd>
							<dt>{words.planWhy}</dt>
							<dd>{visibleText(stage.reason)}</dd>
						</dl>
					</li>
				))}
			</ol>
		</section>
	);
}

function describe(stage: LlmStage | undefined): string {
	const words = STRINGS.models;
	if (stage === undefined) return words.planNone;
	return words.planPayer(visibleText(stage.model), words.payers[stage.payer]);
}
