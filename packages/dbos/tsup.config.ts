import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

export default defineConfig({ ...isomorphicBuild(["index"]), platform: "node" });
