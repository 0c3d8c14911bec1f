import { expect, test } from "vitest";
import * as errors from "./errors";
import * as index from "./index";
import * as internal from "./internal";
import * as sha256 from "./internal/sha-256";
import * as sse from "./sse";
import * as zod from "./zod";

test.each(Object.entries({ index, errors, sse, zod, internal, sha256 }))("%s exports", (_, entry) => {
	expect(Object.keys(entry).sort()).toMatchSnapshot();
});
