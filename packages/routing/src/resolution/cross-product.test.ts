import { beforeAll, describe, expect, test } from "vitest";
import type { StagePlanInput } from "./plan-stages";
import {
	countInputs,
	type Dimensions,
	MODEL_DIMENSIONS,
	STAGE_DIMENSIONS,
	toInputs,
} from "./test-support/cases";
import { type Breaches, findBreaches, type Laws } from "./test-support/find-breaches";
import { MODEL_LAWS, toModelCase } from "./test-support/model-laws";
import { isAsRuled, ORDER, STAGE_LAWS, toStageCase } from "./test-support/stage-laws";

/** It takes two seconds on a machine that does nothing else. */
const PATIENCE_MS = 60_000;

type Input = Parameters<typeof toModelCase>[0];

const inNumbers = (dimensions: Dimensions): string => countInputs(dimensions).toLocaleString("en");

function* toCases<Case>(dimensions: Dimensions, toCase: (input: Input) => Case): Generator<Case> {
	for (const input of toInputs(dimensions)) yield toCase(input);
}

/** A test for each law; one that fails shows the first case that breaks it. */
function testLaws<Case>(dimensions: Dimensions, toCase: (input: Input) => Case, laws: Laws<Case>): void {
	let found: Breaches;
	beforeAll(() => {
		found = findBreaches(toCases(dimensions, toCase), laws);
	}, PATIENCE_MS);

	test.each(Object.keys(laws))("%s", (law) => {
		expect(found.count).toBe(countInputs(dimensions));
		expect(found.byLaw.get(law)).toBeUndefined();
	});
}

describe(`resolveModel, of ${inNumbers(MODEL_DIMENSIONS)} settings`, () => {
	testLaws(MODEL_DIMENSIONS, toModelCase, MODEL_LAWS);
});

describe(`planStages, of ${inNumbers(STAGE_DIMENSIONS)} settings`, () => {
	testLaws(STAGE_DIMENSIONS, toStageCase, STAGE_LAWS);
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

test(
	`planStages, of any of the ${selections.length} selections of stages, of ${inNumbers(someDimensions)} settings`,
	() => {
		const { byLaw } = findBreaches(toSelections(), { "it is what the table of rules says": isAsRuled });
		expect(byLaw).toEqual(new Map());
	},
	PATIENCE_MS,
);
