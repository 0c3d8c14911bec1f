import fc from "fast-check";
import type { A2aPart, A2aStreamResponse } from "../wire";
import { statusOf, taskOf } from "./fake-agent";

const anyPart: fc.Arbitrary<A2aPart> = fc.oneof(
	{ weight: 3, arbitrary: fc.string({ maxLength: 5 }).map((text) => ({ text })) },
	fc.integer().map((data) => ({ data })),
);

const anyUpdate: fc.Arbitrary<A2aStreamResponse> = fc
	.record({
		artifactId: fc.constantFrom("a", "b", "c"),
		parts: fc.array(anyPart, { maxLength: 3 }),
		append: fc.boolean(),
	})
	.map(({ artifactId, parts, append }) => ({
		artifactUpdate: { taskId: "task_1", contextId: "context_1", artifact: { artifactId, parts }, append },
	}));

/** What happens to a task, from its beginning to its end. */
export const anyLog: fc.Arbitrary<readonly A2aStreamResponse[]> = fc
	.record({
		events: fc.array(fc.oneof({ weight: 4, arbitrary: anyUpdate }, fc.constant(statusOf("WORKING"))), {
			maxLength: 12,
		}),
		end: fc.constantFrom("COMPLETED", "FAILED", "CANCELED", "INPUT_REQUIRED"),
	})
	.map(({ events, end }) => [{ task: taskOf("SUBMITTED") }, ...events, statusOf(end)]);
