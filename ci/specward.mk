# For a Makefile: `include ci/specward.mk`, then `make verify` judges what differs from the default branch.
SPECWARD ?= specward
SPECWARD_FLAGS ?= --changed --frozen-spec=explained

.PHONY: verify
verify:
	$(SPECWARD) verify $(SPECWARD_FLAGS)
