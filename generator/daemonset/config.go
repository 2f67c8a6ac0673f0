package daemonset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

const configFile = "config.yaml"

// config is how a plugin's binary is told what to offer: by flags, and where they cannot say it by a file too.
type config struct {
	args []string
	file []byte // nil when flags are enough
}

func newConfig(plugin *v1alpha1.DevicePlugin) (config, error) {
	spec := plugin.Spec
	switch {
	case spec.Preset == v1alpha1.IntelGPUUpstream:
		return config{args: intelFlags(spec)}, nil
	case spec.Preset == v1alpha1.IntelGPU && flagsSuffice(spec):
		return config{args: append([]string{"-prefix=" + hostFolder}, intelFlags(spec)...)}, nil
	}
	file, err := encode(fileOf(spec))
	if err != nil {
		return config{}, fmt.Errorf("the plugin's configuration: %w", err)
	}
	return config{args: []string{"-config=" + configPath + "/" + configFile, "-prefix=" + hostFolder}, file: file}, nil
}

// flagsSuffice tells whether the flags of Intel's plugin, which Berth's takes too, can say what is asked for.
func flagsSuffice(spec v1alpha1.DevicePluginSpec) bool {
	s := spec.Select
	other := spec.Resource != "" || len(s.Addresses) > 0 || len(s.Drivers) > 0 || len(s.Devices) > 0 && len(s.Exclude) > 0
	return !other && len(s.Vendors) == 1 && s.Vendors[0] == v1alpha1.IntelVendor
}

// intelFlags are spelled alike by Intel's plugin (v0.34 and later) and by Berth's. The number of shares is always said: it
// is the one that people ask about.
func intelFlags(spec v1alpha1.DevicePluginSpec) []string {
	args := []string{"-shared-dev-num=" + strconv.Itoa(int(spec.SharedDevices))}
	if spec.Monitoring {
		args = append(args, "-enable-monitoring")
	}
	if spec.HealthManagement != nil {
		args = append(args, "-health-management")
	}
	if s := spec.Select; s != nil && len(s.Devices) > 0 {
		args = append(args, "-allow-ids="+strings.Join(s.Devices, ","))
	} else if s != nil && len(s.Exclude) > 0 {
		args = append(args, "-deny-ids="+strings.Join(s.Exclude, ","))
	}
	return args
}

// annotations carry the digest of the file, since a pod does not see that its ConfigMap has changed.
func (c config) annotations() map[string]string {
	if c.file == nil {
		return nil
	}
	sum := sha256.Sum256(c.file)
	return map[string]string{AnnotationConfig: "sha256:" + hex.EncodeToString(sum[:])}
}

func encode(file pluginFile) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoderWithOptions(&out, &yaml.EncoderOptions{SeqIndent: yaml.WideSequenceStyle})
	if err := enc.Encode(file); err != nil {
		return nil, err
	}
	return out.Bytes(), enc.Close()
}
