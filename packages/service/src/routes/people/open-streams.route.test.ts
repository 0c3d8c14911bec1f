import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
