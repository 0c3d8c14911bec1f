import { type LlmSettingsTest, visibleText } from "@stemma/client";
import { formatMs } from "../data/format";
import { STRINGS } from "../strings/strings";

/** Result of a test in words: what answered and what it would pay for, or what to do next. */
export function TestResult({ result }: { readonly result: LlmSettingsTest }) {
	const words = STRINGS.models;
	const { ok, error, model, latency_ms, stages, warnings = [] } = result;
	return (
		<div className={ok ? "notice good" : "notice bad"} role="alert">
			{ok ? (
				<>
					<p>{words.testPassed(visibleText(model), formatMs(latency_ms))}</p>
					<p>{words.testStages(stages.join(", "))}</p>
					<p className="small">{words.testEmbeddings}</p>
				</>
			) : (
				<>
					<strong>{words.testFailed}</strong>
					<p>{visibleText(error?.message ?? "")}</p>
					{error?.hint && <p>{visibleText(error.hint)}</p>}
					{error && (
						<p className="small">
							{STRINGS.app.code}: <code>{error.code}</code>
						</p>
					)}
				</>
			)}
			{warnings.map((warning) => (
				<p key={warning}>{visibleText(warning)}</p>
			))}
		</div>
	);
}
