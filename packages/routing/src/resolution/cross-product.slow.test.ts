import { beforeAll, describe, expect, test } from "vitest";
import type { StagePlanInput } from "./plan-stages";
import {
	countInputs,
	type Dimensions,
	MODEL_DIMENSIONS,
	STAGE_DIMENSIONS,
	toInputs,
} from "./test-support/cases";
import { findViolations, type Invariants, type Violations } from "./test-support/find-violations";
import { MODEL_INVARIANTS, toModelCase } from "./test-support/model-invariants";
import { isAsExpected, ORDER, STAGE_INVARIANTS, toStageCase } from "./test-support/stage-invariants";

/** It takes two seconds on a machine that does nothing else. */

type Input = Parameters<typeof toModelCase>[0];

const inNumbers = (dimensions: Dimensions): string => countInputs(dimensions).toLocaleString("en");

function* toCases<Case>(dimensions: Dimensions, toCase: (input: Input) => Case): Generator<Case> {
	for (const input of toInputs(dimensions)) yield toCase(input);
}

/** A test for each invariant; one that fails shows the first case that breaks it. */
function testInvariants<Case>(
	dimensions: Dimensions,
	toCase: (input: Input) => Case,
	invariants: Invariants<Case>,
): void {
	let found: Violations;
	beforeAll(() => {
		found = findViolations(toCases(dimensions, toCase), invariants);
	});

	test.each(Object.keys(invariants))("%s", (invariant) => {
		expect(found.count).toBe(countInputs(dimensions));
		expect(found.byInvariant.get(invariant)).toBeUndefined();
	});
}

describe(`resolveModel, of ${inNumbers(MODEL_DIMENSIONS)} settings`, () => {
	testInvariants(MODEL_DIMENSIONS, toModelCase, MODEL_INVARIANTS);
});

describe(`planStages, of ${inNumbers(STAGE_DIMENSIONS)} settings`, () => {
	testInvariants(STAGE_DIMENSIONS, toStageCase, STAGE_INVARIANTS);
});

const selections = Array.from({ length: 2 ** ORDER.length }, (_, bits) =>
	ORDER.filter((_stage, index) => bits & (1 << index)),
);

const someDimensions: Dimensions = {
	...STAGE_DIMENSIONS,
	knowledge: STAGE_DIMENSIONS.knowledge.slice(2, 5),
	deployments: STAGE_DIMENSIONS.deployments.filter((_, index) => index % 11 === 0),
};

function* toSelections(): Generator<StagePlanInput> {
	for (const input of toInputs(someDimensions)) for (const stages of selections) yield { ...input, stages };
}

test(`planStages, of any of the ${selections.length} selections of stages, of ${inNumbers(someDimensions)} settings`, () => {
	const { byInvariant } = findViolations(toSelections(), {
		"it is what the table of rules says": isAsExpected,
	});
	expect(byInvariant).toEqual(new Map());
});
