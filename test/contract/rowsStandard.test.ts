import { describeRows } from "./suite/describeRows.ts";

describeRows("standard");
