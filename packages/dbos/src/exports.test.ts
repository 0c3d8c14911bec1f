import { expect, test } from "vitest";
import * as index from "./index";

test("exports", () => {
	expect(Object.keys(index).sort()).toMatchSnapshot();
});
