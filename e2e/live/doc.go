// Package live tests berth diff and berth apply against a real control plane: etcd, kube-apiserver,
// kube-controller-manager and kube-scheduler, with nodes that are plain objects, and twice with a real kubelet.
//
//	scheduling_test.go  where pods land, with what berth generates and applies
//	fire_test.go        berth apply among writers that change the same nodes, and an API server that is killed
//	rights_test.go      the roles of examples/live are enough, and what is missing is named
//	job_test.go         the Job and the CronJob of examples/live, from the real image
//	kubelet_test.go     a node that registers anew has its taint again and its cordon no longer
//
// Each test has a cluster of its own.
package live
