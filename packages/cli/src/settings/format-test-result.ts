import type { LlmSettingsTest } from "@stemma/client";
import { sanitizeLine } from "../terminal/terminal";

/** A test that went well. */
export function formatTestResult({ model, latency_ms, stages }: LlmSettingsTest): string {
	const paid = stages.length === 0 ? "no stage" : stages.join(", ");
	return `It works: ${sanitizeLine(model)} answered in ${latency_ms} ms.
With these settings the workspace pays for: ${paid}. Vectors were not tested.
`;
}
