import { expect, test } from "vitest";
import * as internal from "./internal";
import * as sha256 from "./internal/sha-256";

// The others are in `api/`.
test.each(Object.entries({ internal, sha256 }))("%s exports", (_, entry) => {
	expect(Object.keys(entry).sort()).toMatchSnapshot();
});
