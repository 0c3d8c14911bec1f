import type { A2aArtifact, A2aPart } from "@stemma/client/a2a";
import type { Citation, Json, RunResult } from "@stemma/core";

/** The one artifact of a task. */
export const ANSWER_ID = "answer";

export const toTextArtifact = (text: string): A2aArtifact => ({ artifactId: ANSWER_ID, parts: [{ text }] });

/** The answer as the result has it; undefined where it has none, which is where none was begun, either. */
export function toFinalArtifact({ output, citations }: RunResult): A2aArtifact | undefined {
	if (output === null) return undefined;
	return withCitations({ artifactId: ANSWER_ID, parts: [toPart(output)] }, citations);
}

const toPart = (output: Json): A2aPart => (typeof output === "string" ? { text: output } : { data: output });

export function withCitations(artifact: A2aArtifact, citations: readonly Citation[]): A2aArtifact {
	if (citations.length === 0) return artifact;
	// Citations are plain records, and JSON.
	return { ...artifact, metadata: { citations: citations as unknown as Json } };
}

/** Text of an answer. Undefined if it is not text. */
export const textOf = (artifact: A2aArtifact | undefined): string | undefined => artifact?.parts[0]?.text;
