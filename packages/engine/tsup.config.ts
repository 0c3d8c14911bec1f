import { defineConfig } from "tsup";
import { browserBuild, isomorphicBuild } from "../../tsup.base";

export default defineConfig([isomorphicBuild(["index"]), browserBuild(["index"])]);
