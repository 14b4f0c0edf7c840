# For a Makefile: `include ci/specward.mk`, then `make verify` judges what differs from the default branch.
SPECWARD ?= specward
SPECWARD_FLAGS ?= --changed --frozen-spec=explained
# What `make` alone does is for the Makefile to say, also when this is included first.
specward_goal_before := $(.DEFAULT_GOAL)

.PHONY: verify
verify:
	$(SPECWARD) verify $(SPECWARD_FLAGS)

.DEFAULT_GOAL := $(specward_goal_before)
