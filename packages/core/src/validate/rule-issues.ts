import {
	callOrHandoffRule,
	continuationRule,
	duplicateEdgeRule,
	guardRule,
	knownNodeRule,
	modeRule,
	selfLoopRule,
} from "./edge-rules";
import { endlessCycleRule } from "./endless-cycle-rule";
import type { GraphOutline } from "./graph-outline";
import { authRule, coordinatorRule, duplicateIdRule, emptyGraphRule, remoteTargetRule } from "./node-rules";
import { outputSchemaRule } from "./output-schema-rule";
import type { Report, Rule } from "./rule";

/** Reports what is wrong with a graph beyond the shape of its parts. Linear in nodes and edges. */
export function findRuleIssues(outline: GraphOutline, report: Report): void {
	const rules: readonly Rule[] = [
		emptyGraphRule,
		coordinatorRule,
		duplicateIdRule,
		remoteTargetRule,
		authRule,
		outputSchemaRule,
		knownNodeRule,
		selfLoopRule,
		duplicateEdgeRule,
		modeRule,
		callOrHandoffRule,
		continuationRule,
		guardRule,
		endlessCycleRule,
	];
	for (const rule of rules) rule(outline, report);
}
